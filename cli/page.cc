// The frame: one column of text that fits a phone, a screen and paper.
// SPDX-License-Identifier: Apache-2.0
#include "cli/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "assay/base/text.h"

namespace assay::cli {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8885; --good: #1a7f37;
  --bad: #b42318; --note: #9a6700; }
@media screen and (prefers-color-scheme: dark) {
  :root { --good: #4cc26a; --bad: #ff8577; --note: #d9a63a; } }
@media print { :root { color-scheme: light; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; width: 14rem; }
@media (max-width: 30rem) { th { width: 38%; } }
td { overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); }
.note { color: var(--note); }
svg { width: 100%; height: auto; } svg text { font-size: 13px;
  fill: currentColor; }
code { font-size: .9em; overflow-wrap: anywhere; }
)";

}  // namespace

std::string PageHtml(std::string_view title, std::string_view body,
                     std::string_view style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n{3}</body>\n</html>\n",
      EscapeHtml(title), kStyle, style, body);
}

std::string TableHtml(const std::vector<Row>& rows) {
  std::string html = "<table>\n";
  for (const auto& [label, text] : rows) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", EscapeHtml(label),
                        EscapeHtml(text));
  }
  return html + "</table>\n";
}

std::string SectionHtml(std::string_view heading, std::string_view body) {
  return fmt::format("<h2>{}</h2>\n{}", EscapeHtml(heading), body);
}

std::string Base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 |
             (k < count ? std::to_integer<uint32_t>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace assay::cli

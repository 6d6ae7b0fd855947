// The page as HTML, its timings drawn as an inline picture.
// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assay/base/text.h"

namespace assay::cli {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8885; --good: #1a7f37;
  --bad: #b42318; --note: #9a6700; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; width: 14rem; }
td { overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); }
.note { color: var(--note); }
svg { width: 100%; height: auto; } svg text { font-size: 13px;
  fill: currentColor; }
code { font-size: .9em; overflow-wrap: anywhere; }
)";

constexpr std::array kColours = {"#4269d0", "#efb118", "#ff725c",
                                 "#6cc5b0", "#3ca951", "#ff8ab7",
                                 "#a463f2", "#97bbf5", "#9c6b4e"};

std::string TableHtml(const std::vector<Row>& rows) {
  std::string html = "<table>\n";
  for (const auto& [label, text] : rows) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", EscapeHtml(label),
                        EscapeHtml(text));
  }
  return html + "</table>\n";
}

// One bar a step: its length is the share of the whole.
std::string StepsSvg(const std::vector<Step>& steps) {
  constexpr int kRow = 26;
  constexpr double kBarX = 100;
  constexpr double kBarWidth = 440;
  double largest = 0;
  for (const Step& step : steps) largest = std::max(largest, step.share);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 700 {}\" role=\"img\" "
      "aria-label=\"time by step\">\n",
      kRow * static_cast<int>(steps.size()) + 4);
  int y = 0;
  size_t colour = 0;
  for (const Step& step : steps) {
    const double width = largest > 0 ? kBarWidth * step.share / largest : 0;
    svg += fmt::format(
        "<text x=\"0\" y=\"{}\">{}</text>"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"18\" rx=\"2\" "
        "fill=\"{}\"/>"
        "<text x=\"{:.1f}\" y=\"{}\">{} ({:.1f} %)</text>\n",
        y + 17, EscapeHtml(step.name), kBarX, y + 3, std::max(width, 1.0),
        kColours[colour++ % kColours.size()], kBarX + width + 8, y + 17,
        HumanTime(step.ms / 1e3), step.share * 100);
    y += kRow;
  }
  return svg + "</svg>\n";
}

std::string VerdictHtml(std::string_view subject, const whir::Verdict& verdict,
                        bool expected) {
  const std::string text = verdict.accepted
                               ? "accepted"
                               : fmt::format("rejected by the check \"{}\": {}",
                                             verdict.check, verdict.detail);
  return fmt::format("<p class=\"verdict {}\">{}: {}</p>\n",
                     verdict.accepted == expected ? "good" : "bad", subject,
                     EscapeHtml(text));
}

std::string Section(std::string_view heading, const std::string& body) {
  return fmt::format("<h2>{}</h2>\n{}", heading, body);
}

}  // namespace

std::string ReportHtml(const ReportPage& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n",
      EscapeHtml(page.title), kStyle);

  html += page.checked
              ? VerdictHtml("The proof", page.verdict, true)
              : "<p class=\"verdict note\">The proof was not checked.</p>\n";
  if (page.tampered.has_value()) {
    html += VerdictHtml(
        fmt::format("A copy with {} changed", EscapeHtml(page.tampered_bit)),
        *page.tampered, false);
  }

  std::string claim = fmt::format("<p>{}</p>\n", EscapeHtml(page.claim));
  for (const std::string& value : page.values) {
    claim += fmt::format("<p><code>{}</code></p>\n", EscapeHtml(value));
  }
  html += Section("What is proven", claim);
  html += Section("What it is worth",
                  fmt::format("<p class=\"{}\">{}</p>\n<p>{}</p>\n",
                              page.proven ? "good" : "note",
                              page.proven ? "The bound behind it is proven."
                                          : "It rests on a conjecture.",
                              EscapeHtml(page.soundness)));
  html += Section("Parameters", TableHtml(page.parameters));
  html += Section("Figures", TableHtml(page.figures));
  html += Section("Where the time went", StepsSvg(page.steps));
  return html + "</body>\n</html>\n";
}

}  // namespace assay::cli

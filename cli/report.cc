// The page as HTML, its timings drawn as an inline picture.
// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assay/base/text.h"
#include "cli/page.h"

namespace assay::cli {
namespace {

constexpr std::array kColours = {"#4269d0", "#efb118", "#ff725c",
                                 "#6cc5b0", "#3ca951", "#ff8ab7",
                                 "#a463f2", "#97bbf5", "#9c6b4e"};

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

}  // namespace

std::string ReportHtml(const ReportPage& page) {
  std::string html =
      page.checked
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
  html += SectionHtml("What is proven", claim);
  html += SectionHtml("What it is worth",
                      fmt::format("<p class=\"{}\">{}</p>\n<p>{}</p>\n",
                                  page.proven ? "good" : "note",
                                  page.proven ? "The bound behind it is proven."
                                              : "It rests on a conjecture.",
                                  EscapeHtml(page.soundness)));
  html += SectionHtml("Parameters", TableHtml(page.parameters));
  html += SectionHtml("Figures", TableHtml(page.figures));
  html += SectionHtml("Where the time went", StepsSvg(page.steps));
  return PageHtml(page.title, html);
}

}  // namespace assay::cli

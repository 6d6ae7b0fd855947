// Patterns of places, and the check that no file is used twice.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <variant>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/planar/layout_json.h"
#include "assay/planar/rasterise.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error);
}

std::string NameOf(const std::string& path) {
  const fs::path file(path);
  return file.extension() == ".json" ? file.stem().string()
                                     : file.filename().string();
}

// A place on the command line.
struct Place {
  const char* flag;
  const std::string& pattern;
  std::string suffix;  // of the file in a folder
  std::string SweepJob::* where;
};

std::vector<Place> PlacesOf(const SweepArgs& args) {
  return {{"--out", args.out, ".s{ports}p", &SweepJob::touchstone},
          {"--csv", args.csv, ".csv", &SweepJob::csv},
          {"--report", args.report, ".html", &SweepJob::report},
          {"--trace", args.trace, "_trace.json", &SweepJob::trace}};
}

// Several layouts need several files.
Status CheckPatterns(const SweepArgs& args) {
  if (args.layouts.size() < 2) return {};
  for (const Place& place : PlacesOf(args)) {
    const std::string& pattern = place.pattern;
    if (pattern.empty() || IsFolder(pattern) ||
        pattern.find("{name}") != std::string::npos) {
      continue;
    }
    return Invalid(
        fmt::format("{} {} is one file for {} layouts", place.flag, pattern,
                    args.layouts.size()),
        fmt::format("name a folder that exists, or a pattern like {{name}}{}",
                    place.suffix));
  }
  return {};
}

Result<std::string> Fill(const Place& place, const SweepJob& job) {
  if (place.pattern.empty()) return std::string();
  std::string pattern = place.pattern;
  if (IsFolder(pattern)) {
    pattern += (pattern.ends_with('/') ? "{name}" : "/{name}") + place.suffix;
  }
  std::string path;
  for (size_t k = 0; k < pattern.size();) {
    const std::string_view rest = std::string_view(pattern).substr(k);
    if (rest.starts_with("{name}")) {
      path += job.name;
      k += 6;
    } else if (rest.starts_with("{ports}")) {
      path += std::to_string(job.ports());
      k += 7;
    } else if (rest[0] == '{') {
      return Invalid(fmt::format("{} {}: only {{name}} and {{ports}} are known",
                                 place.flag, place.pattern),
                     "like out/{name}.s{ports}p");
    } else {
      path += pattern[k++];
    }
  }
  return path;
}

// One number for all ports, or one a port; empty where not given.
Result<std::vector<double>> NumbersOfPorts(const char* flag,
                                           std::string_view text,
                                           size_t ports) {
  std::vector<double> numbers;
  if (text.empty()) return numbers;
  const std::string_view whole = text;
  while (true) {
    const size_t end = text.find(',');
    const Result<double> number = ParseReal(text.substr(0, end));
    if (!number.ok()) {
      return Invalid(fmt::format("{} {}: {}", flag, whole, number.error().what),
                     "one number, or one a port with commas between");
    }
    numbers.push_back(*number);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (numbers.size() == 1) numbers.resize(ports, numbers[0]);
  if (numbers.size() != ports) {
    return Invalid(
        fmt::format("{} {} has {} numbers for {} port{}", flag, whole,
                    numbers.size(), ports, ports == 1 ? "" : "s"),
        "one for all ports, or one a port");
  }
  return numbers;
}

Status SetPorts(const SweepArgs& args, SweepJob& job) {
  std::vector<planar::Layout::Port>& ports = job.layout->ports;
  ASSAY_ASSIGN(z0, NumbersOfPorts("--zref", args.zref, ports.size()));
  for (size_t k = 0; k < z0.size(); ++k) {
    if (!planar::IsReference(z0[k])) {
      return Invalid(
          fmt::format("--zref {}: {} is no reference", args.zref, z0[k]),
          std::string(planar::kReferenceHint));
    }
    ports[k].z0 = z0[k];
  }
  ASSAY_ASSIGN(shift, NumbersOfPorts("--shift", args.shift, ports.size()));
  for (double& length : shift) length *= planar::Metres(job.layout->units);
  job.shift_m = std::move(shift);
  return {};
}

// What the file's suffix and version can say of the ports.
Status CheckTouchstone(const SweepArgs& args, const SweepJob& job) {
  if (job.touchstone.empty()) return {};
  ASSAY_ASSIGN(version, planar::VersionForPath(job.touchstone, job.ports(),
                                               args.touchstone.version));
  const std::vector<planar::Layout::Port>& ports = job.layout->ports;
  const auto differs = [&](const auto& port) { return port.z0 != ports[0].z0; };
  if (version == planar::TouchstoneOptions::Version::k11 &&
      std::ranges::any_of(ports, differs)) {
    return Invalid(
        "--touchstone 1.1 has one reference impedance, these ports several",
        "--touchstone 2.0, or --zref 50");
  }
  return {};
}

// A folder for pictures that is there, or can be made.
Status CheckFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    std::string path = folder;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return CheckWritable(path);
  }
  if (!fs::is_directory(folder, error)) {
    return Invalid(fmt::format("--pictures {} is no folder", folder),
                   "pictures are several files");
  }
  return CheckWritable((fs::path(folder) / "picture.png").string());
}

Status PlanJob(const SweepArgs& args, SweepJob& job) {
  ASSAY_ASSIGN(layout, planar::ReadLayout(job.path, planar::kMostPixels));
  job.layout = std::move(layout);
  ASSAY_TRY(SetPorts(args, job));
  for (const Place& place : PlacesOf(args)) {
    ASSAY_ASSIGN(path, Fill(place, job));
    job.*place.where = path;
    if (!path.empty()) ASSAY_TRY(CheckWritable(path));
  }
  ASSAY_TRY(CheckTouchstone(args, job));
  if (!args.pictures.empty()) {
    job.pictures = args.pictures;
    ASSAY_TRY(CheckFolder(job.pictures));
  }
  return {};
}

// The same text for all ways to the same file.
std::string FileKey(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) == 0) {
    return fmt::format("{}:{}", found.st_dev, found.st_ino);
  }
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.string();
}

// Pictures have the layout's name and a place of their own.
Status CheckPictures(const std::vector<SweepJob>& jobs,
                     const std::vector<std::string>& paths) {
  std::map<std::string, const SweepJob*> names;
  for (const SweepJob& job : jobs) {
    if (job.pictures.empty()) continue;
    const auto [found, is_new] = names.emplace(job.name, &job);
    if (!is_new) {
      return Invalid(
          fmt::format("--pictures {}: {} and {} have the same name, and so "
                      "would their pictures",
                      job.pictures, found->second->path, job.path),
          "rename one of them, or sweep them apart into two folders");
    }
  }
  for (const std::string& path : paths) {
    const fs::path file(path);
    const std::string name = file.filename().string();
    for (const char* kind : {"_current_port", "_charge_port"}) {
      const auto job = names.find(name.substr(0, name.rfind(kind)));
      if (!name.ends_with(".png") || job == names.end()) continue;
      if (FileKey(fs::absolute(file).parent_path().string()) !=
          FileKey(job->second->pictures)) {
        continue;
      }
      return Invalid(fmt::format("{} has the name of a picture of {}", path,
                                 job->second->path),
                     "another folder for --pictures");
    }
  }
  return {};
}

// What the jobs read, then what they write: a file has one use.
Status CheckUses(const SweepArgs& args, const std::vector<SweepJob>& jobs) {
  std::map<std::string, std::string> uses;
  std::vector<std::string> paths;
  for (const SweepJob& job : jobs) {
    uses.emplace(FileKey(job.path), "the layout " + job.path);
    paths.push_back(job.path);
    if (!job.layout) continue;
    for (const planar::Shape& shape : job.layout->metal) {
      const auto* mask = std::get_if<planar::PixelMask>(&shape.form);
      if (mask == nullptr) continue;
      const fs::path file = fs::path(job.path).parent_path() / mask->file;
      uses.emplace(FileKey(file.string()), "the mask " + file.string());
      paths.push_back(file.string());
    }
  }
  for (const SweepJob& job : jobs) {
    for (const Place& place : PlacesOf(args)) {
      const std::string& path = job.*place.where;
      if (path.empty()) continue;
      paths.push_back(path);
      const std::string use = fmt::format("{} {}", place.flag, path);
      const auto [found, is_new] = uses.emplace(FileKey(path), use);
      if (is_new) continue;
      return Invalid(
          fmt::format("{} and {} are the same file", use, found->second),
          fmt::format("name another file with {}", place.flag));
    }
  }
  return CheckPictures(jobs, paths);
}

}  // namespace

Result<std::vector<SweepJob>> PlanSweep(const SweepArgs& args) {
  ASSAY_TRY(CheckPatterns(args));
  std::vector<SweepJob> jobs;
  for (const std::string& path : args.layouts) {
    SweepJob& job = jobs.emplace_back();
    job.path = path;
    job.name = NameOf(path);
    const Status planned = PlanJob(args, job);
    if (!planned.ok()) job.error = planned.error();
  }
  ASSAY_TRY(CheckUses(args, jobs));
  return jobs;
}

Output TextOutput(std::string path, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  Output output;
  output.first = std::move(path);
  output.second.assign(bytes.begin(), bytes.end());
  return output;
}

Status WriteTogether(const std::vector<Output>& outputs,
                     const std::string& folder) {
  std::set<fs::path> names;
  for (const Output& output : outputs) {
    if (names.insert(fs::path(output.first).lexically_normal()).second) {
      continue;
    }
    return Error{Code::kInternal,
                 fmt::format("{} would be written twice", output.first), ""};
  }
  std::error_code error;
  const bool made =
      !folder.empty() && fs::create_directory(folder, error) && !error;
  const auto write = [&]() -> Status {
    std::vector<AtomicWrite> files;
    for (const Output& output : outputs) {
      ASSAY_ASSIGN(
          file, AtomicWrite::Prepare(
                    output.first, std::span<const std::byte>(output.second)));
      files.push_back(std::move(file));
    }
    return CommitAll(files);
  };
  Status written = write();
  // Only an empty folder goes.
  if (!written.ok() && made) fs::remove(folder, error);
  return written;
}

}  // namespace assay::cli

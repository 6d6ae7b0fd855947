// One opened adapter: its queue, its limits, and errors as Status.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/gpu.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "assay/device/webgpu/adapters.h"

namespace assay::webgpu {
namespace {

// wgpu-native has no scope for the third kind, kInternal.
constexpr std::array kScopes = {WGPUErrorFilter_Validation,
                                WGPUErrorFilter_OutOfMemory};

// What a user can make use of: a shader's error begins with its line, and
// goes on for pages.
constexpr size_t kMostText = 600;

std::string Squeezed(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kMostText)) {
    const bool space = c == '\n' || c == '\t' || c == ' ';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool Has(WGPUAdapter adapter, WGPUFeatureName feature) {
  return wgpuAdapterHasFeature(adapter, feature) != 0;
}

// The features that the best clock up to `best` needs.
std::vector<WGPUFeatureName> ClockFeatures(WGPUAdapter adapter, Clock best,
                                           Clock* clock) {
  constexpr auto kInside = static_cast<WGPUFeatureName>(
      WGPUNativeFeature_TimestampQueryInsidePasses);
  constexpr auto kEncoders = static_cast<WGPUFeatureName>(
      WGPUNativeFeature_TimestampQueryInsideEncoders);
  *clock = Clock::kHost;
  if (best == Clock::kHost || !Has(adapter, WGPUFeatureName_TimestampQuery)) {
    return {};
  }
  if (best == Clock::kInPasses && Has(adapter, kInside) &&
      Has(adapter, kEncoders)) {
    *clock = Clock::kInPasses;
    return {WGPUFeatureName_TimestampQuery, kEncoders, kInside};
  }
  *clock = Clock::kAtPasses;
  return {WGPUFeatureName_TimestampQuery};
}

struct Scoped {
  bool done = false;
  bool failed = false;
  WGPUErrorType type = WGPUErrorType_NoError;
  std::string text;
};

}  // namespace

Result<std::unique_ptr<Gpu>> Gpu::Open(WGPUAdapter adapter, Clock best) {
  std::unique_ptr<Gpu> gpu(new Gpu);
  wgpuAdapterGetLimits(adapter, &gpu->limits_);
  const std::vector<WGPUFeatureName> features =
      ClockFeatures(adapter, best, &gpu->clock_);

  WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
  descriptor.requiredLimits = &gpu->limits_;
  descriptor.requiredFeatures = features.data();
  descriptor.requiredFeatureCount = features.size();
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowProcessEvents;
  descriptor.deviceLostCallbackInfo.userdata1 = gpu.get();
  descriptor.deviceLostCallbackInfo.callback =
      [](WGPUDevice const*, WGPUDeviceLostReason, WGPUStringView message,
         void* self, void*) {
        static_cast<Gpu*>(self)->lost_ = true;
        static_cast<Gpu*>(self)->lost_because_ = Squeezed(Text(message));
      };
  // Without this callback wgpu-native ends the process at an error.
  descriptor.uncapturedErrorCallbackInfo.userdata1 = gpu.get();
  descriptor.uncapturedErrorCallbackInfo.callback =
      [](WGPUDevice const*, WGPUErrorType, WGPUStringView message, void* self,
         void*) {
        static_cast<Gpu*>(self)->uncaptured_ = Squeezed(Text(message));
      };

  struct Answer {
    bool done = false;
    WGPUDevice device = nullptr;
    std::string text;
  } answer;
  WGPURequestDeviceCallbackInfo callback =
      WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &answer;
  callback.callback = [](WGPURequestDeviceStatus, WGPUDevice device,
                         WGPUStringView message, void* to, void*) {
    *static_cast<Answer*>(to) = {true, device, Squeezed(Text(message))};
  };
  wgpuAdapterRequestDevice(adapter, &descriptor, callback);
  while (!answer.done) wgpuInstanceProcessEvents(TheInstance());
  if (answer.device == nullptr) {
    return Error{Code::kNoDevice,
                 fmt::format("the adapter does not open: {}", answer.text),
                 "`assay devices` lists others"};
  }
  gpu->device_ = answer.device;
  gpu->queue_ = wgpuDeviceGetQueue(gpu->device_);
  if (gpu->clock_ != Clock::kHost) {
    gpu->ns_per_tick_ = double{wgpuQueueGetTimestampPeriod(gpu->queue_)};
  }
  return gpu;
}

Gpu::~Gpu() {
  if (queue_ != nullptr) wgpuQueueRelease(queue_);
  // Callbacks that name this object come now or never.
  if (device_ != nullptr) {
    wgpuDeviceRelease(device_);
    wgpuInstanceProcessEvents(TheInstance());
  }
}

void Gpu::Push() {
  for (const WGPUErrorFilter scope : kScopes) {
    wgpuDevicePushErrorScope(device_, scope);
  }
}

Status Gpu::Pop(std::string_view what) {
  Status status;
  for (size_t i = 0; i < kScopes.size(); ++i) {
    Scoped scoped;
    WGPUPopErrorScopeCallbackInfo callback =
        WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.userdata1 = &scoped;
    callback.callback = [](WGPUPopErrorScopeStatus popped, WGPUErrorType type,
                           WGPUStringView message, void* to, void*) {
      *static_cast<Scoped*>(to) = {
          true, popped != WGPUPopErrorScopeStatus_Success, type, Text(message)};
    };
    wgpuDevicePopErrorScope(device_, callback);
    while (!scoped.done) wgpuInstanceProcessEvents(TheInstance());
    if (status.ok() &&
        (scoped.failed || scoped.type != WGPUErrorType_NoError)) {
      status = Translate(scoped.type, scoped.text, what);
    }
  }
  return status;
}

Error Gpu::Lost() const {
  return {Code::kDeviceLost,
          fmt::format("the graphics device was lost: {}", lost_because_),
          "start the program anew, or choose --device cpu"};
}

// wgpu-native reports a lost device and, on some drivers, full memory as
// errors of validation. Only their text tells.
Error Gpu::Translate(WGPUErrorType type, const std::string& text,
                     std::string_view what) {
  if (text.find("device is lost") != std::string::npos) {
    lost_ = true;
    if (lost_because_.empty()) lost_because_ = "found by " + std::string(what);
    return Lost();
  }
  if (type == WGPUErrorType_OutOfMemory ||
      text.find("Not enough memory") != std::string::npos) {
    return {Code::kOverBudget,
            fmt::format("{}: the device's memory is full", what),
            "lower --memory, or choose a smaller problem"};
  }
  return {Code::kInternal, fmt::format("{}: {}", what, Squeezed(text)), ""};
}

Status Gpu::Loss() const {
  if (lost_) return Lost();
  return {};
}

Status Gpu::Alive() {
  ASSAY_TRY(Loss());
  const bool fails = fails_after_ == 0;
  if (fails_after_ >= 0) --fails_after_;
  if (fails) return Error{Code::kInternal, "a call failed as told", ""};
  if (uncaptured_.empty()) return {};
  const Error error =
      Translate(WGPUErrorType_Unknown, uncaptured_, "a call outside of scopes");
  uncaptured_.clear();
  return error;
}

Status Gpu::Probe() {
  return Try("the device", [&] {
    // The cheapest thing that is refused: an encoder is only at its end.
    const WGPUBindGroupLayoutDescriptor none =
        WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    const BindGroupLayout layout(
        wgpuDeviceCreateBindGroupLayout(device_, &none));
  });
}

void Gpu::Poll(const WGPUSubmissionIndex* submission) {
  // A wait on a lost device ends the process.
  if (lost_) return;
  wgpuDevicePoll(device_, submission != nullptr ? 1 : 0, submission);
}

void Gpu::Lose() { wgpuDeviceDestroy(device_); }

}  // namespace assay::webgpu

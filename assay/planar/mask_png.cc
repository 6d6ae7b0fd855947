// Strict decoding through libpng, row by row, with its limits set first.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/mask_png.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <utility>
#include <vector>

#include "assay/base/files.h"

namespace assay::planar {
namespace {

constexpr uint64_t kMostFileBytes = uint64_t{64} << 20;
constexpr png_uint_32 kMostSide = 1 << 15;

// What libpng's callbacks share. Plain data: libpng leaves by longjmp, which
// runs no destructors.
struct Source {
  const std::byte* data;
  size_t left;
  char message[160];
};

void ReadBytes(png_structp png, png_bytep out, size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "the file ends too early");
  std::memcpy(out, source->data, count);
  source->data += count;
  source->left -= count;
}

void OnError(png_structp png, png_const_charp message) {
  auto* source = static_cast<Source*>(png_get_error_ptr(png));
  std::strncpy(source->message, message, sizeof(source->message) - 1);
  png_longjmp(png, 1);
}

// A warning is about a file that a strict reader does not take.
void OnWarning(png_structp png, png_const_charp message) {
  OnError(png, message);
}

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes)
      : source_{bytes.data(), bytes.size(), {}} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, OnError,
                                  OnWarning);
    if (png_) info_ = png_create_info_struct(png_);
  }
  ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  bool ready() const { return png_ && info_; }
  std::string_view message() const { return source_.message; }
  size_t left() const { return source_.left; }
  png_uint_32 width() const { return png_get_image_width(png_, info_); }
  png_uint_32 height() const { return png_get_image_height(png_, info_); }

  // The calls below hold no object that needs a destructor.
  bool ReadHeader() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;  // NOLINT: libpng's way
    png_set_user_limits(png_, kMostSide, kMostSide);
    png_set_chunk_cache_max(png_, 64);
    png_set_chunk_malloc_max(png_, png_alloc_size_t{1} << 20);
    png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    // Text, time and colour profiles say nothing about metal.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_read_fn(png_, &source_, ReadBytes);
    png_read_info(png_, info_);
    png_set_expand(png_);
    png_set_strip_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return png_get_rowbytes(png_, info_) == size_t{4} * width();
  }

  bool ReadImage(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;  // NOLINT: libpng's way
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

 private:
  Source source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

enum class Colour : uint8_t { kBlack, kWhite, kNothing, kOther };

Colour ColourOf(const png_byte* rgba) {
  if (rgba[3] == 0) return Colour::kNothing;
  if (rgba[3] != 0xFF || rgba[0] != rgba[1] || rgba[0] != rgba[2]) {
    return Colour::kOther;
  }
  if (rgba[0] == 0) return Colour::kBlack;
  return rgba[0] == 0xFF ? Colour::kWhite : Colour::kOther;
}

Error Corrupt(const std::string& file, std::string_view message) {
  return Error{Code::kCorrupt,
               fmt::format("{}: no usable PNG: {}", file, message),
               "export the mask again as a plain black and white PNG"};
}

}  // namespace

Result<PixelMask> DecodeMaskPng(std::span<const std::byte> bytes,
                                const std::string& file, bool invert,
                                uint64_t most_pixels) {
  Decoder decoder(bytes);
  if (!decoder.ready()) return Error{Code::kInternal, "libpng failed", ""};
  if (!decoder.ReadHeader()) return Corrupt(file, decoder.message());
  const size_t nx = decoder.width();
  const size_t ny = decoder.height();
  if (nx * ny > most_pixels) {
    return Error{Code::kOverBudget,
                 fmt::format("{}: a mask of {} x {} is more than {} pixels",
                             file, nx, ny, most_pixels),
                 "use larger pixels"};
  }
  std::vector<png_byte> pixels(nx * ny * 4);
  std::vector<png_bytep> rows(ny);
  for (size_t j = 0; j < ny; ++j) rows[j] = &pixels[j * nx * 4];
  if (!decoder.ReadImage(rows.data())) {
    return Corrupt(file, decoder.message());
  }
  if (decoder.left() > 0) {
    return Corrupt(file,
                   fmt::format("{} bytes follow its end", decoder.left()));
  }

  PixelMask mask;
  mask.file = file;
  mask.invert = invert;
  mask.nx = static_cast<int>(nx);
  mask.ny = static_cast<int>(ny);
  mask.metal.resize(nx * ny);
  const Colour metal = invert ? Colour::kWhite : Colour::kBlack;
  for (size_t row = 0; row < ny; ++row) {
    for (size_t i = 0; i < nx; ++i) {
      const png_byte* rgba = &pixels[(row * nx + i) * 4];
      const Colour colour = ColourOf(rgba);
      if (colour == Colour::kOther) {
        return Error{
            Code::kInvalidInput,
            fmt::format("{}: pixel {} of row {} from above is neither black "
                        "nor white: #{:02x}{:02x}{:02x}{:02x}",
                        file, i, row, rgba[0], rgba[1], rgba[2], rgba[3]),
            "save the mask with two colours and without anti-aliasing"};
      }
      mask.metal[(ny - 1 - row) * nx + i] = colour == metal;
    }
  }
  return mask;
}

Result<PixelMask> ReadMaskPng(const std::string& path, bool invert,
                              uint64_t most_pixels) {
  ASSAY_ASSIGN(bytes, ReadFile(path, kMostFileBytes));
  return DecodeMaskPng(bytes, path, invert, most_pixels);
}

}  // namespace assay::planar

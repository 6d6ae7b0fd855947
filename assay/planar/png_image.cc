// Pictures go through libpng row by row into memory.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/png_image.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string_view>

namespace assay::planar {
namespace {

// What libpng's callbacks share.
struct Sink {
  std::vector<std::byte> bytes;
  char message[160] = {};
};

void WriteBytes(png_structp png, png_bytep data, size_t count) {
  auto* sink = static_cast<Sink*>(png_get_io_ptr(png));
  const auto* first = reinterpret_cast<const std::byte*>(data);
  sink->bytes.insert(sink->bytes.end(), first, first + count);
}

void Flush(png_structp) {}

void OnError(png_structp png, png_const_charp message) {
  auto* sink = static_cast<Sink*>(png_get_error_ptr(png));
  std::strncpy(sink->message, message, sizeof(sink->message) - 1);
  png_longjmp(png, 1);
}

void OnWarning(png_structp, png_const_charp) {}

class Encoder {
 public:
  Encoder() {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink_, OnError,
                                   OnWarning);
    if (png_) info_ = png_create_info_struct(png_);
  }
  ~Encoder() { png_destroy_write_struct(&png_, &info_); }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  bool ready() const { return png_ && info_; }
  std::string_view message() const { return sink_.message; }
  std::vector<std::byte> Take() { return std::move(sink_.bytes); }

  // Holds no object that needs a destructor: libpng leaves by longjmp.
  bool Write(const PaletteImage& image, png_const_colorp palette) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;  // NOLINT: libpng's way
    const auto colours = static_cast<int>(image.palette.size());
    const int depth = colours <= 2    ? 1
                      : colours <= 4  ? 2
                      : colours <= 16 ? 4
                                      : 8;
    png_set_write_fn(png_, &sink_, WriteBytes, Flush);
    png_set_compression_level(png_, 9);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(image.width),
                 static_cast<png_uint_32>(image.height), depth,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png_, info_, palette, colours);
    char key[] = "Description";
    png_text text = {};
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = key;
    text.text = const_cast<char*>(image.description.c_str());  // NOLINT: read
    if (!image.description.empty()) png_set_text(png_, info_, &text, 1);
    png_write_info(png_, info_);
    png_set_packing(png_);
    for (int row = 0; row < image.height; ++row) {
      png_write_row(png_, &image.pixels[static_cast<size_t>(row) *
                                        static_cast<size_t>(image.width)]);
    }
    png_write_end(png_, nullptr);
    return true;
  }

 private:
  Sink sink_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

Result<std::vector<std::byte>> EncodePng(const PaletteImage& image) {
  const bool sizes =
      image.width > 0 && image.height > 0 &&
      image.pixels.size() == static_cast<size_t>(image.width) * image.height;
  const size_t colours = image.palette.size();
  if (!sizes || colours < 1 || colours > 256 ||
      *std::max_element(image.pixels.begin(), image.pixels.end()) >= colours) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} pixels of {} colours are no picture of {} x "
                    "{}",
                    image.pixels.size(), colours, image.width, image.height),
        ""};
  }
  std::vector<png_color> palette;
  for (const Colour& c : image.palette) {
    palette.push_back({c.red, c.green, c.blue});
  }
  Encoder encoder;
  if (!encoder.ready() || !encoder.Write(image, palette.data())) {
    return Error{Code::kInternal,
                 fmt::format("libpng failed: {}", encoder.message()), ""};
  }
  return encoder.Take();
}

}  // namespace assay::planar

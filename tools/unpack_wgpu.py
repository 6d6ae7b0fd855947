#!/usr/bin/env python3
# Takes the headers and the library of wgpu-native out of the wgpu wheel.
"""Usage: unpack_wgpu.py WHEEL FOLDER"""
import os
import sys
import zipfile

FILES = {"webgpu.h": "include/webgpu/webgpu.h",
         "wgpu.h": "include/webgpu/wgpu.h",
         "libwgpu_native-release.so": "lib/libwgpu_native.so"}

if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        for source, target in FILES.items():
            path = os.path.join(sys.argv[2], target)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(wheel.read("wgpu/resources/" + source))

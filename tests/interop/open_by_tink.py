#!/usr/bin/env python3
"""Opens a sealed file with Google Tink and compares it with what was sealed.

SPDX-License-Identifier: Apache-2.0
usage: open_by_tink.py KEYSET-JSON SEALED AAD-HEX PLAIN
Needs the packages of tests/interop/tink/requirements.txt. Exit status 0 where
the bytes are the same, 1 where they differ or Tink refuses.
"""

import sys

import tink
from tink import secret_key_access, streaming_aead


def main():
    keyset, sealed, aad, plain = sys.argv[1:]
    streaming_aead.register()
    with open(keyset, encoding="utf-8") as file:
        handle = tink.json_proto_keyset_format.parse(
            file.read(), secret_key_access.TOKEN)
    primitive = handle.primitive(streaming_aead.StreamingAead)
    with open(plain, "rb") as file:
        want = file.read()
    try:
        with primitive.new_decrypting_stream(
                open(sealed, "rb"), bytes.fromhex(aad)) as stream:
            found = stream.read()
    except tink.TinkError as error:
        print(f"Tink does not open it: {error}")
        return 1
    same = found == want
    print(f"Tink opened {len(found)} bytes, "
          f"{'the same' if same else 'NOT the same'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())

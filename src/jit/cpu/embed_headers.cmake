# cmake -DSOURCE_DIR=… -DHEADERS=a;b -DHASHED=x;y -DOUTPUT=f.cpp -P embed_headers.cmake
# Writes the device headers as raw string literals, and one hash over them and the pass sources.
# Lists are passed with | between the items.
string(REPLACE "|" ";" HEADERS "${HEADERS}")
string(REPLACE "|" ";" HASHED "${HASHED}")

set(hashes "")
foreach(file IN LISTS HASHED)
    file(SHA256 "${file}" hash)
    string(APPEND hashes "${hash}")
endforeach()

set(text "#include \"src/jit/cpu/embedded_headers.hpp\"\n\nnamespace heald::cpu {\n\n")
string(APPEND text "const EmbeddedHeader embedded_headers[] = {\n")
foreach(name IN LISTS HEADERS)
    file(READ "${SOURCE_DIR}/${name}" content)
    file(SHA256 "${SOURCE_DIR}/${name}" hash)
    string(APPEND hashes "${name}${hash}")
    # One literal may not be too long for every compiler; these stay far below 64 KiB.
    string(APPEND text "    {\"${name}\", R\"__heald_h(${content})__heald_h\"},\n")
endforeach()
string(SHA256 total "${hashes}")
string(SUBSTRING "${total}" 0 16 total)
string(APPEND text "    {nullptr, nullptr},\n};\n\nconst char* const embedded_hash = \"${total}\";\n\n")
string(APPEND text "}  // namespace heald::cpu\n")
file(WRITE "${OUTPUT}" "${text}")

#pragma once

/// Marks what libheald.so exports; everything else has hidden visibility.
#define HEALD_API __attribute__((visibility("default")))

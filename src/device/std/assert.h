#include <heald_device/assertion.h>

// The epilogue that the hand-instrumented tests share: twelve sites, three shared variables. To be
// included last; the file has opened with CUI_UNIT(id, 12).
#define CUI_TEST_SITE(id, kind, space)                                                                      \
  CUI_SITE(id, 0, 1, 1, 1, 2, kind, space, instrumented, 4, 0, "kernel", "a[i]", "a", "i", "float", "", "", \
           "")
CUI_TABLE_FILES CUI_FILE("test.cu", "/test.cu", 0x1) CUI_TABLE_SITES CUI_TEST_SITE(0x1, load, generic)
    CUI_TEST_SITE(0x2, load, generic) CUI_TEST_SITE(0x3, load, generic) CUI_TEST_SITE(0x4, load, generic)
        CUI_TEST_SITE(0x5, load, generic) CUI_TEST_SITE(0x6, load, generic) CUI_TEST_SITE(0x7, load, generic)
            CUI_TEST_SITE(0x8, load, generic) CUI_TEST_SITE(0x9, load, generic)
                CUI_TEST_SITE(0xa, load, generic) CUI_TEST_SITE(0xb, load, local)
                    CUI_TEST_SITE(0xc, load, constant) CUI_TABLE_KERNELS
    CUI_KERNEL_ENTRY("kernel", 0, 1, 1) CUI_TABLE_LAUNCHES
    CUI_LAUNCH_ENTRY("kernel", "kernel", "main", 0, 1, 1, 0) CUI_TABLE_CALLS CUI_TABLE_VARIABLES
    CUI_VARIABLE_ENTRY("first", "kernel", "float[33]", "float", 4, 132, shared, 0, 0, 1, 1)
        CUI_VARIABLE_ENTRY("second", "kernel", "float[8]", "float", 4, 32, shared, 0, 0, 1, 1)
            CUI_VARIABLE_ENTRY("dynamic", "kernel", "float[]", "float", 4, 0, shared, 1, 0, 1, 1)
#ifdef CUI_TEST_GLOBAL
                CUI_VARIABLE_ENTRY("fileScope", "", "float[40]", "float", 4, 160, shared, 0, 0, 1,
                                   1) CUI_TABLE_GLOBALS CUI_GLOBAL(3, CUI_TEST_GLOBAL)
#else
                CUI_TABLE_GLOBALS
#endif
                    CUI_TABLE_END("test.cu", "0")

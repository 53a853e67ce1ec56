/**
 * Keeps zod from trying whether it may make functions of text: our pages forbid it, and browsers report each try. It asks when the first
 * schema is made, so this runs before; under this name, because `z.config` would bring zod to the sign-in page.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
// oxlint-disable-next-line unicorn/require-module-specifiers -- it has nothing to export, and is a module to be imported all the same
export {}

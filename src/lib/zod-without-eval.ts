/**
 * Keeps zod from testing whether `new Function` is allowed: our content security policy forbids it, and browsers report each attempt. zod
 * tests it when the first schema is created, so this must run before; sets the global directly, because `z.config` would add zod to the
 * sign-in page.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
// oxlint-disable-next-line unicorn/require-module-specifiers -- makes this file a module without exports
export {}

/**
 * Fetches the application's files at once where somebody signed in before, instead of after the sign-in page's code has come
 * and run. A file of its own that imports nothing, so that it is there first; the build lists the files in the page
 * (scripts/preload-app.ts).
 */
const SIGNED_IN = /^CognitoIdentityServiceProvider\..+\.LastAuthUser$/

if (Object.keys(localStorage).some((key) => SIGNED_IN.test(key)))
  for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-app]'))
    document.head.append(template.content)
// oxlint-disable-next-line unicorn/require-module-specifiers -- it has nothing to export, and is a module to be imported all the same
export {}

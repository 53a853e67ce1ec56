/** Page of the dashboard, which references the files of the served build. */
const PAGE = '/index.html'

/** Files of the build that this page runs, from its head; empty in development. */
const ownFiles = (): string[] =>
  [...document.querySelectorAll('script[type="module"][src^="/assets/"]')].flatMap(
    (script) => script.getAttribute('src') ?? [],
  )

/** Whether the gateway serves another build than this page's; false if it is unreachable. */
export async function hasNewerBuild(): Promise<boolean> {
  const files = ownFiles()
  if (files.length === 0) return false
  try {
    const response = await fetch(PAGE, { cache: 'no-cache' })
    const html = response.ok ? await response.text() : ''
    // An error page of a proxy is not a build.
    return html.includes('src="/assets/') && files.some((file) => !html.includes(`"${file}"`))
  } catch {
    return false
  }
}

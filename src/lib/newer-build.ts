/** The page of the dashboard, which names the files of the build that is served. */
const PAGE = '/index.html'

/** The files of the build that this page runs, from its own head; none in development. */
const ownFiles = (): string[] =>
  [...document.querySelectorAll('script[type="module"][src^="/assets/"]')].flatMap(
    (script) => script.getAttribute('src') ?? [],
  )

/** Whether another build than this page's is served by now. Nothing is known, hence false, when it cannot be reached. */
export async function hasNewerBuild(): Promise<boolean> {
  const own = ownFiles()
  if (own.length === 0) return false
  try {
    const response = await fetch(PAGE, { cache: 'no-cache' })
    const html = response.ok ? await response.text() : ''
    // What a proxy says in its place is no build at all.
    return html.includes('src="/assets/') && own.some((file) => !html.includes(`"${file}"`))
  } catch {
    return false
  }
}

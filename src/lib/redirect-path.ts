/**
 * Where to go afterwards, as `?then=` says: a path of this product, with its search. Addresses elsewhere (`//evil`, `https:…`, `/\evil`)
 * and what is no path are undefined.
 */
export function readRedirectPath(given: string | null): string | undefined {
  if (given === null || !/^\/(?![/\\])/.test(given)) return undefined
  try {
    const { origin, pathname, search } = new URL(given, 'https://here.invalid')
    return origin === 'https://here.invalid' ? pathname + search : undefined
  } catch {
    return undefined
  }
}

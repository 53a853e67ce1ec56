/**
 * Path of this product from `?then=`, including its search. Undefined for other origins (`//evil`, `https:…`, `/\evil`) and invalid
 * paths.
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

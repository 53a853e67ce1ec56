/**
 * Path of this product from `?then=`, including its search. Undefined for other origins (`//evil`, `https:…`, `/\evil`) and invalid
 * paths.
 */
export function readRedirectPath(path: string | null): string | undefined {
  if (path === null || !/^\/(?![/\\])/.test(path)) return undefined
  try {
    const { origin, pathname, search } = new URL(path, 'https://here.invalid')
    return origin === 'https://here.invalid' ? pathname + search : undefined
  } catch {
    return undefined
  }
}

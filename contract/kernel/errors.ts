/** Errors of calls: status.code in the answer, and the HTTP status with the same meaning for proxies (protocol, Calls). */
export const ERRORS = {
  INVALID: { code: 1, http: 400 },
  NOT_FOUND: { code: 2, http: 404 },
  CONFLICT: { code: 3, http: 409 },
  UNAUTHENTICATED: { code: 4, http: 401 },
  PERMISSION_DENIED: { code: 5, http: 403 },
  LIMIT_EXCEEDED: { code: 6, http: 429 },
  DEVICE_UNREACHABLE: { code: 7, http: 504 },
  UNAVAILABLE: { code: 8, http: 503 },
  INTERNAL: { code: 9, http: 500 },
} as const

export type ErrorCode = keyof typeof ERRORS

export const OK = 0

/** Name of a status.code; INTERNAL for an unknown code. */
export const errorName = (code: number): ErrorCode =>
  (Object.keys(ERRORS) as ErrorCode[]).find((name) => ERRORS[name].code === code) ?? 'INTERNAL'

/** Who asks the user pool, as far as the transport knows. */
export interface Caller {
  address: string
  userAgent: string
}

/** A home with its time zone. */
export interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}

/** Where it is remembered that nobody wants to be pushed to in this browser; it survives a sign-out. */
export const PUSH_OFF_KEY = 'pushOff'

/** Storage key of the opt-out from push in this browser; kept after sign-out. */
export const PUSH_OFF_KEY = 'pushOff'
/** Storage key of the CognitoId of the user who turned push on in this browser; kept after sign-out. */
export const PUSH_ON_KEY = 'pushOnBy'

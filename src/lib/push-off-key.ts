/** Where it is remembered that nobody wants to be pushed to in this browser; it survives a sign-out. */
export const PUSH_OFF_KEY = 'pushOff'
/** Where the CognitoId of the person is stored who turned push on in this browser; it survives a sign-out. */
export const PUSH_ON_KEY = 'pushOnBy'

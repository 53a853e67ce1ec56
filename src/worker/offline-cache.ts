/** Holds the offline page and when the product was last reached; nothing of a person, so it stays at a sign-out. */
export const OFFLINE_CACHE = 'offline'

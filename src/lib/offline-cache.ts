/** Name of the cache with the offline page and the time of the last contact; without personal data, so that it is kept after sign-out. */
export const OFFLINE_CACHE = 'offline'

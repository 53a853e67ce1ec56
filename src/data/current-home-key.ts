/** Storage key of the last chosen home (§2, §9). */
export const CURRENT_HOME_KEY = 'currentHomeId'

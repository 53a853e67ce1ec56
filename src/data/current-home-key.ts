/** Where the home that was chosen last is remembered (§2, §9). */
export const CURRENT_HOME_KEY = 'currentHomeId'

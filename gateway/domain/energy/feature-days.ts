/** Number of days before an examination of a home whose features it reads. */
export const FEATURE_DAYS = 113

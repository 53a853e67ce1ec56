/**
 * Prefix of the topics and lanes of messages about danger to life: each has a topic of its own, so that no later message replaces it, and
 * the lanes are not shared with other messages.
 */
export const LIFE = 'life:'

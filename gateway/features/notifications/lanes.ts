/**
 * Begins the topics of messages that endanger life, each its own so that no later message replaces it, and their lanes, in which nothing
 * else waits.
 */
export const LIFE = 'life:'

/** The records of a home, a line each. */
export { homeHandlers as home } from './home.ts'
export { roomHandlers as room } from './room.ts'

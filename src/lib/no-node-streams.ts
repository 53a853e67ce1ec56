/** Replaces Node's streams, which papaparse imports but browsers lack. */
export default {}

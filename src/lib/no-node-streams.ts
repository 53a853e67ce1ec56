/** In place of Node's streams, which papaparse reads where there are some: a browser has none. */
export default {}

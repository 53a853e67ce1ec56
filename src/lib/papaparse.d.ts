/** The CSV library by its file: by its bare name it is kept out of the build (vite.config.ts). */
declare module 'papaparse/papaparse.js' {
  export { default } from 'papaparse'
}

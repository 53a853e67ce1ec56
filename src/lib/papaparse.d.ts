/** CSV library imported by its file: the build replaces its bare name (vite.config.ts). */
declare module 'papaparse/papaparse.js' {
  export { default } from 'papaparse'
}

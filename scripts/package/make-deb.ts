/** `npm run package:deb`: the Debian package for this machine's processor, in dist. */
import { makeDeb } from './deb.ts'

console.log(makeDeb('dist/package-deb', 'dist'))

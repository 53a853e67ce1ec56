/** `npm run package:tree`: the files of an installed gateway, in dist/package. */
import { layTree } from './tree.ts'

const { app, postgresql } = layTree('dist/package')
console.log(`${app}\n${postgresql}`)

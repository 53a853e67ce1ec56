/** `npm run package:tree`: what an installed gateway consists of, in dist/package. */
import { layTree } from './tree.ts'

const { app, postgresql } = layTree('dist/package')
console.log(`${app}\n${postgresql}`)

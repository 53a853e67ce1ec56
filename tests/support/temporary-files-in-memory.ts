import { keepTemporaryFilesInMemory } from './temporary-files.ts'

/** vitest's globalSetup where the tests start servers of their own. */
export default () => keepTemporaryFilesInMemory()

import { keepTemporaryFilesInMemory } from './temporary-files.ts'

/** vitest's globalSetup for tests that start servers of their own. */
export default () => keepTemporaryFilesInMemory()

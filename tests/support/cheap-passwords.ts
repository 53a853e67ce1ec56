import { createPasswords } from '../../gateway/features/identity/passwords.ts'

/** Hashes of 64 KiB and one pass: strong hashes take time, and only the tests of hashing itself need them. */
export const cheapPasswords = () => createPasswords({ cost: { memoryCost: 64, timeCost: 1, parallelism: 1 } })

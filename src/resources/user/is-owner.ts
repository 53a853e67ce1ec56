import { me } from '../../data/session.ts'

/** Whether a user owns the company and therefore has every right. */
export const isOwner = ({ CognitoId }: { CognitoId: string }): boolean =>
  CognitoId === me.get()?.RootCognitoId

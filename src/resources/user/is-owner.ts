import { me } from '../../data/session.ts'

/** Whether a person owns the company, and so holds every right. */
export const isOwner = ({ CognitoId }: { CognitoId: string }): boolean =>
  CognitoId === me.get()?.RootCognitoId

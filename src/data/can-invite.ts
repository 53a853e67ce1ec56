import { useQuery } from '@tanstack/react-query'
import { webConfig } from './config.ts'

/** Whether people are invited by a link; where accounts are made elsewhere they are not. Undefined until that is known. */
export function useCanInvite(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ Invites }) => Invites === true,
  })
  return data
}

import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useIsCurrentPage } from '../../../ui/page/page-history.tsx'
import { BOARD } from './open-board.ts'

/** Address and navigation to a dashboard of this page; each choice is a history entry. */
export function useBoardAddress(): {
  addressOf: (id: string) => string
  open: (id: string, options?: { arranging?: boolean; replace?: boolean }) => void
} {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const isStillHere = useIsCurrentPage()
  const addressOf = useCallback(
    (id: string) => {
      const next = new URLSearchParams(params)
      next.set(BOARD, id)
      return `?${next}`
    },
    [params],
  )
  return {
    addressOf,
    open: (id, { arranging = false, replace = false } = {}) => {
      if (isStillHere()) void navigate(addressOf(id), { replace, state: { arranging } })
    },
  }
}

import { describe, expect, it } from 'vitest'
import * as contract from '../../../../contract/dashboards/cards.ts'
import {
  GRID_COLUMNS,
  inReadingOrder,
  LAST_ROW,
  MAX_ROWS,
  type GridItem,
  compactGrid,
  type GridStep,
  stepOf,
  moveByKey,
} from '../../../../src/ui/grid/compact.ts'

/** Pseudorandom numbers that repeat for a seed. */
function numbers(seed: number) {
  let state = seed
  return (most: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * most)
  }
}

/** Board of up to 40 cards, some of them outside of the grid or of no size. */
function randomBoard(random: (most: number) => number): GridItem[] {
  return Array.from({ length: random(41) }, (_, i) => ({
    CardID: `c${i}`,
    X: random(16) - 2,
    Y: random(60) - 2,
    W: random(15) - 1,
    H: random(15) - 1,
  }))
}

const collisions = (cards: readonly GridItem[]) =>
  cards.flatMap((card, i) => cards.slice(i + 1).filter((other) => contract.overlaps(card, other)))
const outside = (cards: readonly GridItem[]) =>
  cards.filter(
    ({ X, Y, W, H }) =>
      X < 0 || W < 1 || X + W > GRID_COLUMNS || Y < 0 || Y > LAST_ROW || H < 1 || H > MAX_ROWS,
  )
const card = (CardID: string, X: number, Y: number, W: number, H: number): GridItem => ({
  CardID,
  X,
  Y,
  W,
  H,
})

it('has the grid of the contract', () => {
  expect([GRID_COLUMNS, MAX_ROWS, LAST_ROW]).toEqual([
    contract.COLUMNS,
    contract.MAX_CARD_ROWS,
    contract.LAST_ROW,
  ])
})

it('keeps 3,000 random boards without overlap, within the grid and stable', () => {
  const random = numbers(20_261_127)
  for (let i = 0; i < 3_000; i++) {
    const board = randomBoard(random)
    const held = random(2) === 0 ? undefined : `c${random(Math.max(1, board.length))}`
    const settled = compactGrid(board, held)
    expect(settled.map(({ CardID }) => CardID)).toEqual(board.map(({ CardID }) => CardID))
    expect({ i, over: collisions(settled), outside: outside(settled) }).toEqual({ i, over: [], outside: [] })
    expect(compactGrid(settled)).toEqual(settled)
    expect(compactGrid(settled, held)).toEqual(settled)
  }
})

it('keeps any sequence of steps without overlap and within the grid', () => {
  const random = numbers(7)
  const steps: GridStep[] = ['left', 'right', 'up', 'down', 'narrower', 'wider', 'lower', 'higher']
  for (let i = 0; i < 100; i++) {
    let board = compactGrid(randomBoard(random))
    for (let n = 0; n < 20 && board.length > 0; n++) {
      const held = board[random(board.length)]?.CardID ?? ''
      board = moveByKey(board, held, steps[random(steps.length)] ?? 'up')
      expect({ i, n, over: collisions(board), outside: outside(board) }).toEqual({
        i,
        n,
        over: [],
        outside: [],
      })
    }
  }
})

it('shortens cards if 40 of them would exceed the last row', () => {
  const tall = Array.from({ length: 40 }, (_, i) => card(`c${i}`, 0, i * 12, 12, 12))
  const settled = compactGrid(tall)
  expect(outside(settled)).toEqual([])
  expect(collisions(settled)).toEqual([])
})

describe('the picked-up card', () => {
  it('takes the place of the card whose upper half it covers', () => {
    const board = [card('a', 0, 0, 6, 4), card('b', 0, 1, 6, 2)]
    expect(compactGrid(board, 'b')).toEqual([card('a', 0, 2, 6, 4), card('b', 0, 0, 6, 2)])
  })

  it('stays below the card whose lower half it covers', () => {
    const board = [card('a', 0, 0, 6, 4), card('b', 0, 3, 6, 2)]
    expect(compactGrid(board, 'b')).toEqual([card('a', 0, 0, 6, 4), card('b', 0, 4, 6, 2)])
  })

  it('swaps places up and down, and stays at the end', () => {
    const board = [card('a', 0, 0, 6, 4), card('b', 0, 4, 6, 2)]
    const up = moveByKey(board, 'b', 'up')
    expect(up).toEqual([card('a', 0, 2, 6, 4), card('b', 0, 0, 6, 2)])
    expect(moveByKey(up, 'b', 'up')).toEqual(up)
    expect(moveByKey(up, 'b', 'down')).toEqual(board)
    expect(moveByKey(board, 'b', 'down')).toEqual(board)
  })

  it('is moved by arrows and resized by arrows with Shift', () => {
    const key = (name: string, shiftKey = false) => stepOf({ key: name, shiftKey })
    expect([key('ArrowLeft'), key('ArrowDown'), key('ArrowRight', true), key('ArrowUp', true)]).toEqual([
      'left',
      'down',
      'wider',
      'lower',
    ])
    expect(key('Enter')).toBeUndefined()
    const board = [card('a', 0, 0, 6, 4), card('b', 6, 0, 6, 4)]
    expect(moveByKey(board, 'a', 'wider')).toEqual([card('a', 0, 0, 7, 4), card('b', 6, 4, 6, 4)])
    expect(moveByKey(board, 'a', 'left')).toEqual(board)
  })
})

it('reads a board from top to bottom, then from left to right', () => {
  const board = [card('c', 0, 4, 6, 2), card('b', 6, 0, 6, 4), card('a', 0, 0, 6, 4)]
  expect(inReadingOrder(board).map(({ CardID }) => CardID)).toEqual(['a', 'b', 'c'])
})

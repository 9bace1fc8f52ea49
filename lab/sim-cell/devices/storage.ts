// The automated stores behind one transfer port. The controlled safe has its own hardware lock.
import { act, list, refuse, round, text, type Tool } from '../act.ts'

const carouselSeconds = 25
const port = 'transfer_port'

const fetchItem: Tool = (world, args) => {
  const store = text(args, 'store_id')
  const item = text(args, 'item_id')
  if (store === 'disposal_bin') return refuse('what is in the disposal bin stays there')
  if (store === 'controlled_safe' && new Set(list(args['approvals'])).size < 2) {
    return refuse('the controlled safe opens for two distinct approvals')
  }
  const known = world.items.get(item)
  if (known !== undefined && known !== store) return refuse(`${item} is in ${known}`)
  return act({
    device: 'storage',
    seconds: carouselSeconds,
    finish: () => {
      world.items.set(item, port)
      return { change: { item, at: [store, port] }, result: { item_id: item, at: port } }
    },
    interrupt: (fraction) => ({ item, at: [store, store], fraction: round(fraction) }),
  })
}

const storeItem: Tool = (world, args) => {
  const store = text(args, 'store_id')
  const item = text(args, 'item_id')
  const known = world.items.get(item)
  if (known !== undefined && known !== port) return refuse(`${item} is in ${known}`)
  return act({
    device: 'storage',
    seconds: carouselSeconds,
    finish: () => {
      world.items.set(item, store)
      return { change: { item, at: [port, store] }, result: { item_id: item, at: store } }
    },
    interrupt: (fraction) => ({ item, at: [port, port], fraction: round(fraction) }),
  })
}

const safeStop: Tool = () =>
  act({
    device: 'storage',
    stops: 'storage',
    seconds: 1,
    finish: () => ({ change: { carousel: 'parked' }, result: { stopped: true } }),
    interrupt: () => ({ carousel: 'parked' }),
    uninterruptible: true,
  })

export const storageTools: Record<string, Tool> = {
  'storage.fetch': fetchItem,
  'storage.store': storeItem,
  'storage.safe_stop': safeStop,
}

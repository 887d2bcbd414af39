// Replaced by the real connection as soon as the adapter stands; only the name of the type matters until then.
export type Db = object;

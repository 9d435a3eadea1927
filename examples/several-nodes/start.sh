#!/bin/sh
# Two nodes of `rootward serve`, a balancer in front and Redis behind. Ctrl-C ends all of them.
set -eu
directory=${1:?'say which directory may be reached'}
here=$(dirname "$0")
rootward=${ROOTWARD:-npx rootward}
redis=${REDIS_PORT:-6379} one=${ONE_PORT:-3917} two=${TWO_PORT:-3918} front=${FRONT_PORT:-3900}

# Shared by the nodes: who may come in, and the key with which they trust each other.
export ROOTWARD_TOKEN=${ROOTWARD_TOKEN:-$(node -p 'crypto.randomBytes(32).toString("base64url")')}
export ROOTWARD_SEALING_KEY=${ROOTWARD_SEALING_KEY:-$(node -p 'crypto.randomBytes(32).toString("base64")')}
export ROOTWARD_SESSIONS="redis://127.0.0.1:$redis"

data=$(mktemp -d)
children=
finish() {
  # Once is enough, whoever asks again meanwhile.
  trap '' INT TERM
  kill $children 2>/dev/null || true
  wait
  rm -rf "$data"
}
trap finish EXIT
trap 'exit 0' INT TERM

redis-server --port "$redis" --bind 127.0.0.1 --dir "$data" --save '' \
  --appendonly yes --appendfsync everysec --maxmemory-policy noeviction >/dev/null &
children="$children $!"
until redis-cli -p "$redis" ping >/dev/null 2>&1; do sleep 0.1; done

for port in "$one" "$two"; do
  $rootward serve "$directory" --http "127.0.0.1:$port" --host "127.0.0.1:$front" &
  children="$children $!"
  echo "node on $port: process $!"
done
node "$here/balancer.js" "$front" "$one" "$two" &
children="$children $!"
echo "token: $ROOTWARD_TOKEN"
wait

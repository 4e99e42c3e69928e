-- Loads a sample with its tests, and runs one test. Prints the secret that it was given where the test passed.
-- The sample does not get the libraries by which it could read the secret or write it: no io, os or debug.
local stdin, stdout, exit = io.read, io.write, os.exit
local name, secret = stdin("l"), stdin("l")
local chunk = stdin("a")

local EXIT = {}
local libraries = {}
for _, library in ipairs({ "string", "table", "math", "utf8", "coroutine" }) do
    libraries[library] = {}
    for key, value in pairs(_G[library]) do libraries[library][key] = value end
end

local env = {
    assert = assert, error = error, ipairs = ipairs, next = next, pairs = pairs, pcall = pcall, print = print,
    rawequal = rawequal, rawget = rawget, rawlen = rawlen, rawset = rawset, select = select, tonumber = tonumber,
    setmetatable = setmetatable, tostring = tostring, type = type, xpcall = xpcall, _VERSION = _VERSION,
    collectgarbage = function() return 0 end,
    -- the metatable of strings is shared with this driver
    getmetatable = function(value) if type(value) ~= "string" then return getmetatable(value) end end,
    -- tests that were written for a runner end by `os.exit(runner.run())`: that ends their loading here
    os = { clock = os.clock, date = os.date, time = os.time, exit = function() error(EXIT, 0) end },
    io = { write = function(...) stdout(...) end },
}
for library, functions in pairs(libraries) do env[library] = functions end
env._G = env
env.unpack = table.unpack
env.load = function(text, label, _, own) return load(text, label, "t", own or env) end

local function equal(one, other)
    if type(one) ~= "table" or type(other) ~= "table" then return rawequal(one, other) or one == other end
    for key, value in next, one do if not equal(value, rawget(other, key)) then return false end end
    for key in next, other do if rawget(one, key) == nil then return false end end
    return true
end

local function shown(value, depth)
    if type(value) ~= "table" or (depth or 0) > 3 then return tostring(value) end
    local parts = {}
    for key, each in next, value do parts[#parts + 1] = tostring(key) .. "=" .. shown(each, (depth or 0) + 1) end
    return "{" .. table.concat(parts, ", ") .. "}"
end

-- the part of luaunit that published tests use
local luaunit = { LuaUnit = { run = function() return 0 end } }
function luaunit.assertEquals(actual, expected)
    if not equal(actual, expected) then error("expected: " .. shown(expected) .. ", actual: " .. shown(actual), 2) end
end
luaunit.assert_equals = luaunit.assertEquals
function luaunit.assertTrue(value) luaunit.assertEquals(value, true) end
function luaunit.assertFalse(value) luaunit.assertEquals(value, false) end
env.require = function(module)
    if module == "luaunit" then return luaunit end
    if libraries[module] then return env[module] end
    error("module '" .. tostring(module) .. "' is not there", 2)
end

local function fail(problem)
    stdout("\n", problem == EXIT and "the sample called os.exit" or tostring(problem), "\n")
    exit(1)
end

local main, problem = load(chunk, "=sample", "t", env)
if not main then fail(problem) end
local loaded, reason = pcall(main)
if not loaded and reason ~= EXIT then fail(reason) end
local test = rawget(env, name)
if type(test) ~= "function" then fail("the sample ended before the tests were defined") end
local passed, why = pcall(test)
if not passed then fail(why) end
stdout("\n", secret, "\n")
exit(0)
